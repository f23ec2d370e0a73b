import { Socket } from 'node:net'
import type { DecodeRequest } from './decode-picture.ts'
import { channelNumber, fileBytesMax } from './decoder-command.ts'
import { readMessages, writeMessage } from './messages.ts'

/** The program of a decoder: decodes one picture after the other. It ends when its stdin does, whatever it is doing. */

// Who stops the service stops its group, or all of its processes, while it still has pictures to read.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

// A service that was killed can tell nobody, but its end of the pipe closes. An ordinary exit would wait for the decoder's thread.
process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume()

const channel = new Socket({ fd: channelNumber, readable: true, writable: true })
const { decodePicture } = await import('./decode-picture.ts')
writeMessage(channel, { kind: 'ready' })
for await (const { header, body } of readMessages(channel, fileBytesMax)) {
  const decoded = await decodePicture(body, header as DecodeRequest)
  if ('fault' in decoded) writeMessage(channel, { kind: 'unusable', ...decoded })
  else {
    const { rgba, ...sides } = decoded
    writeMessage(channel, { kind: 'pixels', ...sides }, rgba)
  }
}
