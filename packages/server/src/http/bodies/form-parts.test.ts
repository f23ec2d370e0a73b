import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundaryOf, MalformedForm, readFormParts } from './form-parts.ts'

interface ReadPart {
  name: string
  fileName: string | null
  contents: Buffer
}

async function* splitIntoChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer, void> {
  for (let start = 0, i = 0; start < bytes.byteLength; i++) {
    const size = sizes[i % sizes.length] ?? bytes.byteLength
    yield bytes.subarray(start, start + size)
    start += size
  }
}

async function readForm(bytes: Buffer, sizes: readonly number[] = [], boundary = 'B'): Promise<ReadPart[]> {
  const parts: ReadPart[] = []
  for await (const { name, fileName, contents } of readFormParts(splitIntoChunks(bytes, sizes), boundary)) {
    const chunks = []
    for await (const chunk of contents) chunks.push(chunk)
    parts.push({ name, fileName, contents: Buffer.concat(chunks) })
  }
  return parts
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 })
const formWithPart = (disposition: string, contents = 'x') =>
  Buffer.from(`--B\r\nContent-Disposition: ${disposition}\r\n\r\n${contents}\r\n--B--\r\n`)

describe('parts of a multipart form', () => {
  it('form parts that FormData writes are read from chunks of any size', async () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => !/["\\/\r\n%]/.test(name))
    const parts = fc.array(fc.record({ name: names, fileName: names, contents: fc.uint8Array({ maxLength: 300 }) }), {
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(parts, chunkSizes, async (parts, sizes) => {
        const form = new FormData()
        for (const { name, fileName, contents } of parts) form.append(name, new File([Buffer.from(contents)], fileName))
        const request = new Request('http://localhost', { method: 'POST', body: form })
        const boundary = boundaryOf(request.headers.get('content-type') ?? '')
        expect(await readForm(Buffer.from(await request.arrayBuffer()), sizes, boundary)).toEqual(
          parts.map(({ name, fileName, contents }) => ({
            name: name.toWellFormed(),
            fileName: fileName.toWellFormed(),
            contents: Buffer.from(contents),
          })),
        )
      }),
    )
  })

  it('form part contents that look like a boundary are kept', async () => {
    const contents = '\r\n--C\r\n--\r\n-B--\r\n\r\n--'
    expect(await readForm(formWithPart('form-data; name=file', contents), [1])).toEqual([
      { name: 'file', fileName: null, contents: Buffer.from(contents) },
    ])
  })

  it('form parts after a preamble are read, and bytes after the last part are ignored', async () => {
    const bytes = Buffer.concat([
      Buffer.from('for old programs\r\n'),
      formWithPart('form-data; name=file'),
      Buffer.alloc(100_000),
    ])
    expect(await readForm(bytes, [7])).toMatchObject([{ name: 'file' }])
  })

  it.each([
    ['form-data; name="a b"; filename="x.png"', 'a b', 'x.png'],
    ['form-data;name=a;filename=x.png', 'a', 'x.png'],
    [String.raw`form-data; name="a\"b\\c"`, String.raw`a"b\c`, null],
    [String.raw`form-data; name=file; filename="C:\pictures\x.png"`, 'file', 'x.png'],
    ['form-data; name=file; filename="../../x.png"', 'file', 'x.png'],
    [`form-data; name=file; filename="x.png"; filename*=utf-8''%e6%b9%96.png`, 'file', '湖.png'],
    [`form-data; name=file; filename="x.png"; filename*=utf-8''%e6%b9`, 'file', 'x.png'],
    ['FORM-DATA; NAME=file; FileName="湖.png"', 'file', '湖.png'],
  ])('the name and file name of a form part are read from %s', async (disposition, name, fileName) => {
    expect(await readForm(formWithPart(disposition))).toMatchObject([{ name, fileName }])
  })

  it.each(['form-data', 'form-data; filename="x.png"', 'attachment; name=file', 'form-dataname=file', ''])(
    'a form part with the disposition "%s" is rejected',
    async (disposition) => {
      await expect(readForm(formWithPart(disposition))).rejects.toThrow('has a part without a name')
    },
  )

  it('the result of reading arbitrary bytes as form parts does not depend on their division into chunks', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '--B',
        '\r\n',
        '--',
        '\r\n--B\r\n',
        'Content-Disposition: form-data',
        '; name=file',
        '; name="',
        ':',
        '\r\n\r\n',
      ),
      fc.string({ maxLength: 20 }),
    )
    const bytes = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join('')))
    await fc.assert(
      fc.asyncProperty(bytes, chunkSizes, async (bytes, sizes) => {
        const result = await readForm(bytes, sizes).catch((error: unknown) => error)
        expect(Array.isArray(result) || result instanceof MalformedForm).toBe(true)
        const resultOfOneChunk = await readForm(bytes).catch((error: unknown) => error)
        expect(resultOfOneChunk).toEqual(result)
      }),
      { numRuns: 1000 },
    )
  })
})

it.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; boundary="a b:c"; charset=utf-8', 'a b:c'],
  ['Multipart/Form-Data;BOUNDARY=abc', 'abc'],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=', undefined],
  [`multipart/form-data; boundary=${'b'.repeat(201)}`, undefined],
])('the form boundary of the Content-Type %.60s is %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary)
})
