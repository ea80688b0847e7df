export const ruleIds: readonly string[];
export const leftOut: Readonly<Record<string, string>>;

export interface TestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export function unprovenRules(report: TestReport): string[];
