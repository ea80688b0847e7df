// The user's object as in the product, and one whose storage a test may interfere with.
import type { Env } from "../../src/env";
import { RootObject } from "../../src/root/root-object";
import { watchedBucket, watchedDatabase, watchedState } from "./interference";

export { RootObject };

export class FaultyRoot extends RootObject {
  constructor(state: DurableObjectState, env: Env) {
    const id = state.id.toString();
    const watched = { BLOBS: watchedBucket(env.BLOBS, id), MANIFESTS: watchedDatabase(env.MANIFESTS, id) };
    super(watchedState(state), { ...env, ...watched });
  }
}

export default {};
