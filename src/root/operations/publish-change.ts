import type { RootEvent, TreeChange } from "../contract";
import type { Sessions } from "../store/sessions";
import type { Streams } from "../store/streams";

/** Directories named in one event; of more, watchers are told to look anew. */
const directoriesNamedMax = 1000;

/** Tells every open stream of the user what it may want to know of a change. */
export function publishChange(streams: Streams, sessions: Sessions, change: TreeChange): void {
  const named = [...new Set(change.directories)];
  const directories = named.length > directoriesNamedMax ? null : named;
  const { entriesChanged } = change;
  streams.publish((sessionId): RootEvent | null => {
    if (sessionId === undefined) return { directories, entriesChanged };
    const subscribed = sessions.subscriptionsTo(sessionId, directories);
    return subscribed.length > 0 || entriesChanged ? { directories, entriesChanged, subscribed } : null;
  });
}
