/** Replaces a decoder in tests, as one that lacks its library. */
throw new Error('the library is not there')
