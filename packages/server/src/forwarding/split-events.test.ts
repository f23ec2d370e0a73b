import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventSplitter, EventTooLarge } from './split-events.ts'

it('a stream is split into the same events for every division into chunks', () => {
  const line = fc.stringMatching(/^[a-z: é]{1,12}$/)
  // A stream that mixes carriage returns with CRLF is ambiguous at the end of a chunk.
  const events = fc.constantFrom(['\n', '\r\n'], ['\n', '\r']).chain((lineEnds) => {
    const event = fc.tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom(...lineEnds))
    return fc.array(event, { maxLength: 6 })
  })
  fc.assert(
    fc.property(events, fc.array(fc.nat(60)), fc.string(), (linesOfEvents, chunkSizes, rest) => {
      const sentEvents = linesOfEvents.map(([lines, end]) => lines.map((line) => line + end).join('') + end)
      const tail = rest.replaceAll(/[\r\n]/g, '')
      const bytes = Buffer.from(sentEvents.join('') + tail)
      const splitter = new EventSplitter(10_000)
      const eventTexts: string[] = []
      let start = 0
      for (const size of [...chunkSizes, bytes.length]) {
        eventTexts.push(...splitter.push(bytes.subarray(start, start + size)).map(String))
        start = Math.min(bytes.length, start + size)
      }
      eventTexts.push(...splitter.push(bytes.subarray(start)).map(String))
      expect([...eventTexts, splitter.takeRest().toString()]).toEqual([...sentEvents, tail])
    }),
    { numRuns: 200 },
  )
})

it('an event whose lines end with carriage returns is complete as soon as its last byte arrives', () => {
  const splitter = new EventSplitter(100)
  for (const event of ['data: a\r\r', 'data: b\r\r']) expect(splitter.push(Buffer.from(event)).map(String)).toEqual([event])
})

it('an event over the size limit throws, whether it arrives in one chunk or in several', () => {
  expect(() => new EventSplitter(10).push(Buffer.from('data: 12345\n\n'))).toThrow(EventTooLarge)
  const splitter = new EventSplitter(10)
  splitter.push(Buffer.from('data: 123'))
  expect(() => splitter.push(Buffer.from('45'))).toThrow(EventTooLarge)
})
