// The user's object as in the product, and one whose storage a test may interfere with.
import type { Env } from "../../src/env";
import { RootObject } from "../../src/root/root-object";
import { watchedBucket, watchedState } from "./interference";

export { RootObject };

export class FaultyRoot extends RootObject {
  constructor(state: DurableObjectState, env: Env) {
    super(watchedState(state), { ...env, BLOBS: watchedBucket(env.BLOBS, state.id.toString()) });
  }
}

export default {};
