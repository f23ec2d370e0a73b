export interface FramegateProviderSettings {
  /** Default: the environment variable FRAMEGATE_API_KEY, when a model is first used. */
  apiKey?: string | undefined
  /** URL of the service with its path prefix. Default: FRAMEGATE_URL, else `http://127.0.0.1:8787/api`. */
  baseURL?: string | undefined
  /** Headers of every request. Default: none. */
  headers?: Record<string, string> | undefined
  /** Custom `fetch`. Default: the global one. */
  fetch?: typeof fetch | undefined
  /**
   * Who downloads videos. `provider` resumes interrupted downloads. `ai-sdk` calls the `download`
   * function of `generateVideo`, whose default refuses local and private addresses. Default:
   * `provider` for such addresses, and `ai-sdk` for public ones.
   */
  downloads?: 'provider' | 'ai-sdk' | undefined
  /**
   * Whether the task is cancelled, and not charged, when a call is aborted that waits for its result.
   * Default: true.
   */
  cancelOnAbort?: boolean | undefined
}
