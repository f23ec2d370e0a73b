import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventSplitter, EventTooLarge } from './split-events.ts'

it('a stream is split into the same events for every division into chunks', () => {
  const line = fc.stringMatching(/^[a-z: é]{1,12}$/)
  const event = fc.tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\r\n'))
  fc.assert(
    fc.property(fc.array(event, { maxLength: 6 }), fc.array(fc.nat(60)), fc.string(), (linesOfEvents, chunkSizes, rest) => {
      const events = linesOfEvents.map(([lines, end]) => lines.map((line) => line + end).join('') + end)
      const tail = rest.replaceAll(/[\r\n]/g, '')
      const bytes = Buffer.from(events.join('') + tail)
      const splitter = new EventSplitter(10_000)
      const eventTexts: string[] = []
      let start = 0
      for (const size of [...chunkSizes, bytes.length]) {
        eventTexts.push(...splitter.push(bytes.subarray(start, start + size)).map(String))
        start = Math.min(bytes.length, start + size)
      }
      eventTexts.push(...splitter.push(bytes.subarray(start)).map(String))
      expect([...eventTexts, splitter.takeRest().toString()]).toEqual([...events, tail])
    }),
    { numRuns: 200 },
  )
})

it('an event over the size limit throws, whether it arrives in one chunk or in several', () => {
  expect(() => new EventSplitter(10).push(Buffer.from('data: 12345\n\n'))).toThrow(EventTooLarge)
  const splitter = new EventSplitter(10)
  splitter.push(Buffer.from('data: 123'))
  expect(() => splitter.push(Buffer.from('45'))).toThrow(EventTooLarge)
})
