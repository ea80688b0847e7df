// The product's whole HTTP surface around the fixtures that the conformance runner asks for.
import { createApp } from "../../src/app";
import { catalog } from "./catalog";

export { AuthStore } from "../../src/auth/auth-store";
export { RootObject } from "../../src/root/root-object";

export default createApp(catalog);
