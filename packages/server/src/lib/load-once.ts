/** A resource that is loaded at its first use. */
export interface LoadOnce<Resource> {
  /** Returns the same promise for all calls, except that the call after a rejection loads again. */
  load: () => Promise<Resource>
  /** The resource, if it was loaded or is being loaded. Never rejects. */
  loaded: () => Promise<Resource | undefined>
}

/**
 * Loads a resource at the first use. A load that fails, for example because the system has no file
 * descriptors at that moment, is repeated at the next use.
 */
export function loadOnce<Resource>(load: () => Promise<Resource>): LoadOnce<Resource> {
  let loading: Promise<Resource> | undefined
  async function loadNow(): Promise<Resource> {
    try {
      return await load()
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  return {
    load: () => (loading ??= loadNow()),
    loaded: async () => loading?.catch(() => undefined),
  }
}
