import { Transform } from 'node:stream'

class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

/** Returns a stream that passes bytes through, and fails beyond `bytesMax` bytes. */
export function limitBytes(bytesMax: number): Transform {
  let receivedBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > bytesMax) done(new TooManyBytes(`more than ${bytesMax} bytes`))
      else done(null, chunk)
    },
  })
}
