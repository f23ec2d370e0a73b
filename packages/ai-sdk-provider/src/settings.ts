export interface FramegateProviderSettings {
  /** Default: the environment variable FRAMEGATE_API_KEY, which is read in each call. */
  apiKey?: string | undefined
  /**
   * Base URL of the service, with its path prefix. Default: FRAMEGATE_URL, or else
   * `http://127.0.0.1:8787/api`.
   */
  baseURL?: string | undefined
  /**
   * Headers added to every request to the service, but not to requests to other hosts. Default:
   * none.
   */
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
   * Whether aborting a call that waits for a result also cancels the task. A cancelled task is not
   * charged. Default: true.
   */
  cancelOnAbort?: boolean | undefined
}
