export interface FramegateProviderSettings {
  /** Default: the environment variable FRAMEGATE_API_KEY, which is read in each call. */
  apiKey?: string | undefined
  /**
   * Base URL of the service, with its path prefix. Default: FRAMEGATE_URL, or else
   * `http://127.0.0.1:8787/api`.
   */
  baseURL?: string | undefined
  /** Headers of every request to the service, not of downloads from other hosts. Default: none. */
  headers?: Record<string, string> | undefined
  /** Custom `fetch`. Default: the global one. */
  fetch?: typeof fetch | undefined
  /**
   * Which side downloads videos. `provider` resumes interrupted downloads. `ai-sdk` calls the
   * `download` function of `generateVideo`, whose default rejects local and private addresses.
   * Default: `provider` for such addresses, and `ai-sdk` for public ones.
   */
  downloads?: 'provider' | 'ai-sdk' | undefined
  /**
   * Whether to cancel the task, so that it is not charged, if a call that waits for its result is
   * aborted. Default: true.
   */
  cancelOnAbort?: boolean | undefined
}
