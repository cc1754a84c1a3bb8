/** Maximum items per list request. */
export const MAX_PER_PAGE = 1_000;

/** Default maximum size of a file, in megabytes. */
export const DEFAULT_MAX_DOWNLOAD_SIZE_MB = 50;
