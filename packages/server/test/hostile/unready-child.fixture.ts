/** Replaces a decoder or a prober in tests, as one that cannot load its library. */
throw new Error('the library is not there')
