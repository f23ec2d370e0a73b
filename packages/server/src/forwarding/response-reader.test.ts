import { expect, it } from 'vitest'
import { ResponseReader } from './response-reader.ts'

const options = { model: 'm', showsUsage: true, withoutSecrets: (text: string) => text }

it.each(['\n', '\r\n', '\r'])('the usage of a stream with the line end %j is read, in one line or in several', (end) => {
  for (const lines of [
    ['data: {"usage":{"prompt_tokens":3,"completion_tokens":2}}'],
    ['data: {"usage":', 'data: {"prompt_tokens":3,', 'data:"completion_tokens":2}}'],
  ]) {
    const reader = new ResponseReader(options)
    reader.readEvent(Buffer.from(lines.map((line) => line + end).join('') + end))
    expect(reader.usage).toMatchObject({ input: 3, output: 2 })
  }
})

it('usage without output tokens counts only if the response has no text', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 0 }
  const emptyReader = new ResponseReader(options)
  emptyReader.readAll(Buffer.from(JSON.stringify({ choices: [{ message: { role: 'assistant', content: '' } }], usage })))
  expect(emptyReader.usage).toMatchObject({ input: 3, output: 0 })
  const reader = new ResponseReader(options)
  reader.readEvent(Buffer.from(`data: ${JSON.stringify({ choices: [], usage })}\n\n`))
  expect(reader.usage).toMatchObject({ input: 3, output: 0 })
  reader.readEvent(Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Red.' } }] })}\n\n`))
  expect(reader.usage).toBeUndefined()
})

it.each([
  [String.raw`{"model":"org/tiny"}`, '{"model":"m"}'],
  [String.raw`{"model" : "org\/tiny"}`, '{"model" : "m"}'],
  ['{\n\t"id": 1,\n\t"model":\t"org/tiny"\n}', '{\n\t"id": 1,\n\t"model":\t"m"\n}'],
  [
    String.raw`{"text":"\"model\":\"org/tiny\"","model":"org\u002ftiny"}`,
    String.raw`{"text":"\"model\":\"org/tiny\"","model":"m"}`,
  ],
])('the Model ID replaces the name of the upstream in %j', (received, sent) => {
  expect(new ResponseReader(options).readAll(Buffer.from(received))?.toString()).toBe(sent)
  expect(new ResponseReader(options).readEvent(Buffer.from(`data: ${received.replaceAll('\n', '')}\n\n`))?.toString()).toBe(
    `data: ${sent.replaceAll('\n', '')}\n\n`,
  )
})

it('a byte order mark at the start of a response or an event stream is removed', () => {
  const reader = new ResponseReader(options)
  expect(reader.readAll(Buffer.from('\ufeff{"model":"org/tiny","usage":{"prompt_tokens":3}}'))?.toString()).toBe(
    '{"model":"m","usage":{"prompt_tokens":3}}',
  )
  expect(reader.usage).toMatchObject({ input: 3 })
  expect(reader.readEvent(Buffer.from('\ufeffdata: {"model":"org/tiny"}\n\n'))?.toString()).toBe('data: {"model":"m"}\n\n')
})

it.each(['a', String.raw`\n`, String.raw`\"`, String.raw`\\`])(
  'the Model ID replaces a name of the upstream that fills the largest response with %j',
  (part) => {
    const body = Buffer.from(`{"model":"${part.repeat((16 * 1024 * 1024) / part.length)}","id":1}`)
    expect(new ResponseReader(options).readAll(body)?.toString()).toBe('{"model":"m","id":1}')
  },
)

it.each([
  '{"error":"the key sk-1 is invalid"}',
  '{"type":"response.failed","response":{"error":{"code":"server_error","message":"the key sk-1 is invalid"}}}',
  '{"object":"error","message":"the key sk-1 is invalid","type":"BadRequestError"}',
])('the error %s of an upstream is not forwarded', (text) => {
  for (const read of ['readEvent', 'readAll'] as const) {
    const reader = new ResponseReader({ ...options, withoutSecrets: (text) => text.replace('sk-1', '…') })
    expect(reader[read](Buffer.from(read === 'readAll' ? text : `data: ${text}\n\n`))).toBeNull()
    expect(reader.error).toBe('the key … is invalid')
  }
})

it.each([
  ['data: {"id":1}', 'data: {"id":1}'],
  ['data: [DONE]', 'data: [DONE]'],
  [': a comment\n', undefined],
  ['data: {"id":', null],
  ['event: x\nda', null],
])('an event %j without an empty line at the end of a stream is forwarded only if it is complete', (rest, sent) => {
  const reader = new ResponseReader(options)
  if (sent === null) expect(() => reader.readLastEvent(Buffer.from(rest))).toThrow('the stream ended within an event')
  else expect(reader.readLastEvent(Buffer.from(rest))?.toString()).toBe(sent)
})

it('an event that is not JSON is forwarded without the credential of the upstream', () => {
  const reader = new ResponseReader({ ...options, withoutSecrets: (text) => text.replace('sk-1', '…') })
  expect(reader.readEvent(Buffer.from('event: error\ndata: sk-1 is invalid\n\n'))?.toString()).toBe(
    'event: error\ndata: … is invalid\n\n',
  )
})
