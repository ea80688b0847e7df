// Validators of the output schemas that tools/list shows. Each is compiled once per test file: every sign-in lists the same ones.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: { uuid: true } });
/** By the text of the schema: another schema of the same tool is another validator. */
const compiled = new Map<string, ValidateFunction>();

export function outputValidators(
  tools: Iterable<{ readonly name: string; readonly outputSchema: object }>,
): ReadonlyMap<string, ValidateFunction> {
  return new Map(Array.from(tools, ({ name, outputSchema }) => [name, validatorOf(outputSchema)] as const));
}

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const found = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, found);
  return found;
}
