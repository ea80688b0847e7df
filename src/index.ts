import { createApp } from "./app";
import { product } from "./mcp/product";

export { AuthStore } from "./auth/auth-store";
export { RootObject } from "./root/root-object";

export default createApp(product);
