/** Stands in for a decoder that lacks its library. */
throw new Error('the library is not there')
