declare const leaseIdBrand: unique symbol;
/** UUID v4, lower case. */
export type LeaseId = string & { readonly [leaseIdBrand]: true };

const leaseForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function parseLeaseId(value: unknown): LeaseId | null {
  return typeof value === "string" && leaseForm.test(value) ? (value.toLowerCase() as LeaseId) : null;
}
