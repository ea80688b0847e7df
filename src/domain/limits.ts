/** Every limit of the product, in one place. `docs/limits.md` is made from these lines. Units stand last in the names. */

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;
const dayMs = 24 * 60 * 60 * 1000;

/** TEXT_FILE_MAX: a file read, or the result of an edit, by `text.*`; decoded `content` of `file.create`. */
export const textFileMaxBytes = 8 * mib;
/** READ_DEFAULT_MAX: what `text.read` gives without `lines`; whole lines, at least one. */
export const readDefaultMaxBytes = 256 * kib;
/** UPLOAD_MAX: one file through `PUT /files/<path>`; the platform's own limit of a request body. */
export const uploadMaxBytes = 100 * mib;

/** PATH_MAX_BYTES: UTF-8 bytes of a normalized path, its leading slash included. */
export const pathMaxBytes = 1024;
/** SEGMENT_MAX_BYTES: UTF-8 bytes of one name; what common file systems can hold after an export. */
export const segmentMaxBytes = 255;
/** DEPTH_MAX: segments of a path; an edit re-hashes every directory above it. */
export const pathDepthMax = 64;

/** LIST_DEFAULT: entries of one `file.list` answer unless asked otherwise. */
export const listDefaultEntries = 1000;
/** LIST_MAX: entries of one `file.list` or `list://` answer at most. */
export const listMaxEntries = 10_000;

/** HASH_DIFF_MAX_BYTES: the diff inside HASH_MISMATCH; a longer one is left out together with the current hash. */
export const hashDiffMaxBytes = 16 * kib;
/** Either side of the diff inside HASH_MISMATCH; a larger file gives no diff. */
export const hashDiffSideMaxBytes = 1 * mib;

/** HISTORY_VERSIONS: distinct versions of a path, the current one included, that count as known. */
export const historyVersionsMax = 20;
/** HISTORY_DAYS: how long a former version of a path stays known. */
export const historyMaxMs = 30 * dayMs;

/** QUOTE_MAX: code points of a line quoted in a message; the rest becomes `…`. */
export const quoteMaxCodePoints = 120;
/** Line numbers listed in `found_at` of LINE_MISMATCH. */
export const foundAtMax = 20;

/** Body of a request to `/mcp`; more is answered with 413. */
export const bodyMaxBytes = 16 * mib;
/** RESPONSE_MAX: JSON of one answer; an isolate has 128 MB for everything that it serves at once. */
export const responseMaxBytes = 16 * mib;
/** Calls in one JSON-RPC batch (2025-03-26 clients only). */
export const batchMax = 100;

/** Live files of one user. */
export const filesMax = 100_000;
/** Live bytes of one user; former versions and snapshots do not count. */
export const rootBytesMax = 2 * gib;

/** Directories of one user: files that are removed leave theirs behind. */
export const directoriesMax = 200_000;

/** A blob up to this size is stored with the tree, in one transaction; a SQLite row may have 2 MB. */
export const inlineBlobMaxBytes = 1 * mib;
/** A blob is copied to object storage after this time: what soon gives way to another version is never copied. */
export const blobSettleMs = dayMs;
/** Bytes that object storage also has, and that nobody used for this long, leave the user's object. */
export const blobColdMs = 7 * dayMs;
/** A blob that nothing names any more is kept for this long: an operation may still be about to name it again. */
export const blobGraceMs = 60 * 60 * 1000;

/** A 2025-era session without a request for this long has ended. */
export const sessionIdleMs = 30 * dayMs;
/** Open SSE streams of one session. */
export const sessionStreamsMax = 4;
/** Sessions of one user; the one idle for longest makes room. */
export const sessionsMax = 1000;
/** A comment is sent on a silent SSE stream this often, so that proxies keep it open. */
export const keepAliveMs = 15_000;

/** Resource subscriptions of one session. */
export const subscriptionsMax = 1000;

/** LEASE_TTL: a lease is valid for this long from its issue. */
export const leaseTtlMs = dayMs;
/** Rows of ended leases stay for this long, so that they are told from unknown ones. */
export const leaseMarkerMs = 7 * dayMs;
/** LEASES_MAX: leases of one user; the oldest make room. */
export const leasesMax = 1000;
/** TOUCHED_MAX: files that one lease can have seen. */
export const touchedMax = 50_000;
/** MANIFEST_MAX_FILES: files of one snapshot. */
export const manifestFilesMax = 100_000;
/** MANIFEST_CHUNK: bytes of one piece of a manifest; a row of the database may have 2 MB. */
export const manifestChunkBytes = 1 * mib;
/** DIFF_MAX: bytes of one diff. */
export const diffMaxBytes = 4 * mib;
/** EXPORT_MAX: bytes of one bundle, before base64. */
export const exportMaxBytes = 8 * mib;
/** Paths in one `paths` argument of the snapshot family. */
export const pathsArgumentMax = 1000;

/** UTF-16 units of one list of paths in an answer of `workspace.restore`: what is done must be told, so the answer has to fit. */
export const pathsAnswerMaxUnits = 1 * mib;

/** PATCH_MAX: UTF-8 bytes of one patch. */
export const patchMaxBytes = 4 * mib;
/** PATCH_SECTIONS_MAX: files of one patch. */
export const patchSectionsMax = 1000;
/** PATCH_HUNKS_MAX: hunks of one patch, over all its files. */
export const patchHunksMax = 10_000;
/** PATCH_WORK_MAX: bytes that the sections of one patch read and make, all together; they are in memory at the same time. */
export const patchWorkMaxBytes = 48 * mib;
/** Rejected hunks that carry the differing line; the rest have index and reason only, so that the answer stays short. */
export const rejectHintsMax = 1000;
/** Lines listed in `occurs_at` of a reject. */
export const occursAtMax = 5;
/** Bytes looked through for `occurs_at` in one patch; rejects after that go without. */
export const occursSearchMaxBytes = 32 * mib;

/** GREP_QUERY_MAX: UTF-8 bytes of a query. */
export const grepQueryMaxBytes = 1000;
/** GREP_MAX_FILES: files that one grep searches unless asked otherwise. */
export const grepDefaultFiles = 5000;
/** GREP_MAX_FILES: files that one grep searches at most. */
export const grepMaxFiles = 20_000;
/** GREP_MAX_MATCHES: matches in one answer unless asked otherwise. */
export const grepDefaultMatches = 100;
/** GREP_MAX_MATCHES: matches in one answer at most. */
export const grepMaxMatches = 10_000;
/** GREP_TOTAL_MAX: bytes of files that one grep searches. */
export const grepTotalMaxBytes = 64 * mib;
/** GREP_LINE_MAX: code points of a line shown with a match; the rest is cut off. */
export const grepLineMaxCodePoints = 2000;
/** UTF-16 units of all lines and paths in one grep answer; more would not fit in one answer. */
export const grepAnswerMaxUnits = 2 * mib;
/** IGNORE_FILE_MAX: bytes of one `.gitignore`; matching costs rules times files. */
export const ignoreFileMaxBytes = 256 * kib;
/** IGNORE_TOTAL_MAX: bytes of all `.gitignore` files that one call honours; compiled, a rule takes up to 200 bytes for each of its own. */
export const ignoreTotalMaxBytes = 512 * kib;
/** IGNORE_WORK_MAX: steps of matching paths against ignore rules in one call. Only rules made to be slow need more. */
export const ignoreWorkMax = 100_000_000;
/** Instructions of a compiled expression; more is refused. A thousand bytes such as `(a|b?){1000}` can make 280 000. */
export const grepInstructionsMax = 10_000;
/** Steps of one grep, four for each character it may read. Only expressions made to be slow need more; their search ends as truncated. */
export const grepWorkMax = 4 * grepTotalMaxBytes;
/** Bytes of all filters of texts that one user's object keeps; those made first make room. */
export const grepFiltersMaxBytes = 32 * mib;
/** Bytes of filters that the object has in memory; those of one search always fit. */
export const grepWarmFiltersMaxBytes = 6 * mib;
/** Texts of which one grep makes filters, in UTF-16 units; the next one makes more. */
export const grepFilteredMaxUnits = 32 * mib;
/** Files of one listing that is kept in memory, so that the next search need not list them again. */
export const listingKeptMaxFiles = grepMaxFiles;

/** MAX_ZIP_BYTES: an archive that is opened, or that a sync would write. */
export const zipMaxBytes = 100 * mib;
/** MAX_EXTRACTED_BYTES: declared sizes of all entries of one archive together. */
export const zipExtractedMaxBytes = 256 * mib;
/** MAX_EXTRACTED_BYTES can be configured up to this. */
export const zipExtractedCeilingBytes = 1 * gib;
/** MAX_ENTRIES: entries of one archive, directories included; keeps one open within the time of a request. */
export const zipEntriesMax = 10_000;
/** MAX_ENTRIES can be configured up to this. */
export const zipEntriesCeiling = 100_000;
/** MAX_RATIO: uncompressed over compressed size of one entry. */
export const zipRatioMax = 100;
/** MAX_CENTRAL_DIRECTORY_BYTES: the one part of an archive that is held in memory as a whole. */
export const zipDirectoryMaxBytes = 16 * mib;
/** MAX_FILE_BYTES: one entry of an archive. */
export const zipFileMaxBytes = 100 * mib;
/** MAX_FILE_BYTES can be configured up to this. */
export const zipFileCeilingBytes = 256 * mib;
/** MAX_TOTAL_EXTRACTED: files in all workspaces of one user, at their current sizes. */
export const zipTotalMaxBytes = 2 * gib;
/** MAX_TOTAL_EXTRACTED can be configured up to this. */
export const zipTotalCeilingBytes = 10 * gib;
/** MAX_SESSIONS: zip sessions of one user. */
export const zipSessionsMax = 32;
/** MAX_NESTING: archives around an archive that is opened from a workspace. */
export const zipNestingMax = 3;
/** BACKUP_DEPTH: former versions of an archive that sync keeps beside it. */
export const zipBackupsMax = 3;
/** BACKUP_DEPTH can be configured up to this. */
export const zipBackupsCeiling = 10;
/** LOCK_WAIT: how long sync and close wait for another operation on the session. */
export const zipLockWaitMs = 10_000;
/** LOCK_LEASE: a lock that is not renewed for this long is taken over. */
export const zipLockLeaseMs = 60_000;
/** Bytes of a path within a workspace: with the workspace's own directories it stays within PATH_MAX_BYTES. */
export const zipPathMaxBytes = 900;
/** Names of a path within a workspace. */
export const zipPathDepthMax = 60;
/** One ranged read of an archive. */
export const zipReadChunkBytes = 4 * mib;
/** Skipped and shadowed entries that `zipfs_open` names; of more, the number. */
export const zipWarningsMax = 100;
/** UTF-16 units of the JSON of their names: one may have 64 KiB, and what was opened must be told, so the answer has to fit. */
export const zipWarningsMaxUnits = 1 * mib;
/** Entries of one `zipfs_ls` answer. */
export const zipListMaxEntries = 2000;
/** Lines of one `zipfs_tree` answer. */
export const zipTreeMaxLines = 5000;
/** Bytes that `zipfs_read` gives without `limit`. */
export const zipReadDefaultBytes = 256 * kib;
/** Bytes that `zipfs_read` gives at most. */
export const zipReadMaxBytes = 1 * mib;
/** Decoded `content` of `zipfs_write`. */
export const zipWriteMaxBytes = 8 * mib;
/** Characters of the pattern of `zipfs_grep`. */
export const zipPatternMaxCharacters = 1000;
/** Matches in one `zipfs_grep` answer. */
export const zipGrepMaxResults = 1000;
/** Lines of context on either side of a match of `zipfs_grep`. */
export const zipGrepMaxContext = 10;
/** UTF-16 units of the JSON of all lines and paths in one `zipfs_grep` answer; more would not fit in one answer. */
export const zipGrepAnswerMaxUnits = 2 * mib;
/** Text that one `zipfs_grep` searches. */
export const zipGrepMaxBytes = 64 * mib;

/** UTF-8 bytes of a query of `context.resolve` and `context.plan`. */
export const contextQueryMaxBytes = 64 * kib;
/** Documents that `context.plan` lists as excluded; of more, `excluded_truncated` tells. */
export const contextExcludedMax = 1000;
/** Problems that `context.verify_cache` lists; of more, `problems_truncated` tells. */
export const contextProblemsMax = 200;
/** A `manifest.json` or `index.json` that is read; more than 10 000 documents need. */
export const contextManifestMaxBytes = 32 * mib;
/** The file of one document in a cache; 8 MiB of text and what JSON adds to it. */
export const contextDocumentFileMaxBytes = 24 * mib;
/** Documents that `context.build_cache` takes in. */
export const contextBuildDocumentsMax = 10_000;
/** Content of all documents that `context.build_cache` takes in. */
export const contextBuildTotalMaxBytes = 64 * mib;
/** Content of one document that `context.build_cache` takes in. */
export const contextBuildDocumentMaxBytes = 8 * mib;
/** Globs in `include`, and in `exclude`, of `context.build_cache`. */
export const contextGlobsMax = 32;
/** Characters of one glob. */
export const contextGlobMaxCharacters = 1000;
/** Paths named in `details` of a refused `context.build_cache`. */
export const contextPathsNamedMax = 20;
/** The word indexes of all caches of a user; those unused for longest make room. They can be made anew at any time. */
export const contextIndexesMaxBytes = 64 * mib;
/** The word index of one cache; without it, every document is read anew. */
export const contextIndexMaxBytes = 32 * mib;
/** (word, document) pairs of a word index that are gathered in memory before they are packed. */
export const contextIndexSegmentPairsMax = 400_000;

/** A single-use link works for this long. */
export const linkTtlMs = 10 * 60 * 1000;
/** Links of one user that wait for their use; the oldest make room. */
export const ticketsMax = 1000;
/** An upload whose length is not known in advance goes to object storage in parts of this size, the least that it takes. */
export const uploadPartBytes = 5 * mib;
/** Bytes of an upload that are in memory at a time. */
export const uploadPieceBytes = 256 * kib;
