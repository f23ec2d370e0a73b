import { expect, it } from 'vitest'
import { ResponseReader } from './response-reader.ts'

it.each(['\n', '\r\n', '\r'])('the usage of a stream with the line end %j is read, in one line or in several', (end) => {
  for (const lines of [
    ['data: {"usage":{"prompt_tokens":3,"completion_tokens":2}}'],
    ['data: {"usage":', 'data: {"prompt_tokens":3,', 'data:"completion_tokens":2}}'],
  ]) {
    const reader = new ResponseReader({ model: 'm', showsUsage: true })
    reader.readEvent(Buffer.from(lines.map((line) => line + end).join('') + end))
    expect(reader.usage).toMatchObject({ input: 3, output: 2 })
  }
})
