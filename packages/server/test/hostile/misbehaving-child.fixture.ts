import { Socket } from 'node:net'
import { readMessages, writeMessage } from '../../src/lib/limited-child/messages.ts'
import { channelDescriptor } from '../../src/lib/limited-child/start-child.ts'

/**
 * Replaces a decoder child in tests. A test sends the name of a behavior in place of an image, and
 * this child behaves accordingly.
 */
const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true })
const smallSize = { width: 2, height: 1 }
const pixelsOf = (bytes: number, originalSize: object = smallSize) =>
  writeMessage(channel, { kind: 'pixels', width: 2, height: 1, originalSize }, Buffer.alloc(bytes, 7))
const allocated: Buffer[] = []

process.stdin.on('close', () => process.exit()).resume()
writeMessage(channel, { kind: 'ready' })
for await (const { body } of readMessages(channel, 1000)) {
  switch (body.toString()) {
    case 'abort':
      process.kill(process.pid, 'SIGABRT')
      break
    case 'exit':
      process.exitCode = 7
      channel.destroy()
      process.stdin.destroy()
      break
    case 'take memory':
      while (allocated.length < 40) allocated.push(Buffer.alloc(50 * 1024 * 1024, 1))
      pixelsOf(8)
      break
    case 'response too short':
      pixelsOf(7)
      break
    case 'response too large':
      writeMessage(channel, { kind: 'pixels', width: 2000, height: 1, originalSize: smallSize }, Buffer.alloc(8000))
      break
    case 'response with impossible sides':
      pixelsOf(8, { width: '2', height: -1 })
      break
    case 'response without end':
      channel.write(Buffer.alloc(8, 0xff))
      break
    case 'response that is not JSON':
      channel.write('\0\0\0\x02\0\0\0\0{]')
      break
    case 'print many lines':
      process.stderr.write(`${'x'.repeat(100_000)}\n${'a word\n'.repeat(1000)}`)
      pixelsOf(8)
      break
    case 'hang':
      break
    default:
      pixelsOf(8)
  }
}
