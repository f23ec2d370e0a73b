import { Transform } from 'node:stream'

class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

/** Returns a stream that passes bytes through, and fails after more than `bytesMax`. */
export function limitBytes(bytesMax: number): Transform {
  let bytesSeen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytesSeen += chunk.byteLength
      if (bytesSeen > bytesMax) done(new TooManyBytes(`more than ${bytesMax} bytes`))
      else done(null, chunk)
    },
  })
}
