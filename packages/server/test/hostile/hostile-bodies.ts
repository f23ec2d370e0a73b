/**
 * A request body of a hostile client. It has the maximum body size unless its name or `make` says
 * otherwise.
 */
export interface HostileBody {
  name: string
  /**
   * Creates the bytes when they are needed, because all bodies together would take almost a
   * gigabyte.
   */
  make: () => Buffer
  /** Chunk size for chunked transfer encoding. Default: sent with Content-Length. */
  chunkBytes?: number
}

const bodyBytesMax = 16 * 1024 * 1024

function filledBody(before: string, unit: string, after: string, sizeBytes = bodyBytesMax): Buffer {
  const unitBytes = Buffer.byteLength(unit)
  const fillBytes = sizeBytes - Buffer.byteLength(before) - Buffer.byteLength(after)
  const count = Math.floor(fillBytes / unitBytes)
  return Buffer.concat([Buffer.from(before), Buffer.alloc(count * unitBytes, unit), Buffer.from(after)])
}

const taskFields = '"model":"imgA-5.0","prompt":"a lake"'

/** Creates a body with more than a million different names. */
function manyNames(): Buffer {
  const body = Buffer.alloc(bodyBytesMax, ' ')
  let length = body.write(`{${taskFields}`)
  for (let i = 0; length < bodyBytesMax - 16; i++) length += body.write(`,"${i.toString(36)}":1`, length)
  body.write('}', bodyBytesMax - 1)
  return body
}

function fullSizeBody(name: string, before: string, unit: string, after: string): HostileBody {
  return { name, make: () => filledBody(before, unit, after) }
}

export const hostileBodies: readonly HostileBody[] = [
  fullSizeBody('a long unknown name', `{${taskFields},"`, 'x', '":1}'),
  fullSizeBody('a long unknown name of slashes', `{${taskFields},"`, '/', '":1}'),
  fullSizeBody('a long unknown name of tildes', `{${taskFields},"`, '~', '":1}'),
  fullSizeBody('a long unknown name of control characters', `{${taskFields},"`, String.raw`\u0001`, '":1}'),
  fullSizeBody('a long unknown name of wide characters', `{${taskFields},"`, '語/', '":1}'),
  fullSizeBody('a long name within simulate', `{${taskFields},"simulate":{"`, '/', '":1}}'),
  fullSizeBody('a long model', '{"prompt":"a lake","model":"', 'M', '"}'),
  fullSizeBody('a long model of wide characters', '{"prompt":"a lake","model":"', 'Ä', '"}'),
  fullSizeBody('a long model of spaces', '{"prompt":"a lake","model":"x', ' ', 'x"}'),
  fullSizeBody('a long prompt', '{"model":"imgA-5.0","prompt":"', 'a', '"}'),
  fullSizeBody('a long prompt of wide characters', '{"model":"imgA-5.0","prompt":"', '語', '"}'),
  fullSizeBody('a long prompt of surrogate pairs', '{"model":"imgA-5.0","prompt":"', '🦊', '"}'),
  fullSizeBody('a long prompt of escaped letters', '{"model":"imgA-5.0","prompt":"', String.raw`\u0061`, '"}'),
  fullSizeBody('a long prompt of escaped quotes', '{"model":"imgA-5.0","prompt":"', String.raw`\"`, '"}'),
  fullSizeBody('a long prompt of escaped backslashes', '{"model":"imgA-5.0","prompt":"', String.raw`\\`, '"}'),
  fullSizeBody('a long prompt of single surrogates', '{"model":"imgA-5.0","prompt":"', String.raw`\ud800`, '"}'),
  fullSizeBody('a long negative prompt', `{${taskFields},"negative_prompt":"`, 'a', '"}'),
  fullSizeBody('a long aspect ratio', `{${taskFields},"aspect_ratio":"`, '1', '"}'),
  fullSizeBody('a long address of an image', `{${taskFields},"reference_images":["https://example.com/`, 'a', '"]}'),
  fullSizeBody(
    'a data URI that ends in a wrong character',
    `{${taskFields},"reference_images":["data:image/png;base64,`,
    'A',
    '!==="]}',
  ),
  fullSizeBody('a data URI of full size', `{${taskFields},"reference_images":["data:image/png;base64,`, 'AAAA', '"]}'),
  {
    name: 'a data URI that is accepted',
    make: () => filledBody(`{${taskFields},"reference_images":["data:image/png;base64,`, 'AAAA', '"]}', 12 * 1024 * 1024),
  },
  {
    name: 'a data URI that is accepted, with escaped slashes',
    make: () =>
      filledBody(`{${taskFields},"reference_images":["data:image\\/png;base64,`, `${'A'.repeat(63)}\\/`, '"]}', 12 * 1024 * 1024),
  },
  fullSizeBody('empty arrays', '[[]', ',[]', ']'),
  fullSizeBody('arrays without an enclosing array', '', '[],', ''),
  fullSizeBody('empty objects', `{${taskFields},"reference_images":[{}`, ',{}', ']}'),
  fullSizeBody('many zeros', `{${taskFields},"reference_images":[0`, ',0', ']}'),
  fullSizeBody('many fractions', `{${taskFields},"reference_images":[0`, ',1.7976931348623157e-300', ']}'),
  fullSizeBody('many empty strings', `{${taskFields},"reference_images":[""`, ',""', ']}'),
  fullSizeBody('many nulls', `{${taskFields},"reference_images":[null`, ',null', ']}'),
  fullSizeBody('deep nesting', '', '[', ''),
  fullSizeBody('deep nesting of objects', '', '{"a":', ''),
  fullSizeBody('many shallow nestings', `{${taskFields},"reference_images":[[[[]]]`, ',[[[]]]', ']}'),
  { name: 'many names', make: manyNames },
  fullSizeBody('one repeated name', `{${taskFields}`, ',"a":1', '}'),
  fullSizeBody('a repeated __proto__', `{${taskFields}`, ',"__proto__":{}', '}'),
  fullSizeBody('a huge number', `{${taskFields},"seed":`, '9', '}'),
  fullSizeBody('a huge fraction', `{${taskFields},"seed":0.`, '9', '}'),
  fullSizeBody('a huge exponent', `{${taskFields},"seed":1e`, '9', '}'),
  fullSizeBody('nothing but spaces', '', ' ', ''),
  fullSizeBody('spaces within an object', '{', ' \n', `${taskFields}}`),
  fullSizeBody('a string without end', `{${taskFields},"x":"`, 'a', ''),
  fullSizeBody('backslashes without end', `{${taskFields},"x":"`, '\\', ''),
  fullSizeBody('quotes', '', '"', ''),
  fullSizeBody('quotes and commas', '["', '","', '"]'),
  {
    name: 'invalid UTF-8 at the end',
    make: () => Buffer.concat([filledBody(`{${taskFields},"x":"`, '語', '').subarray(0, -1), Buffer.from([0xff])]),
  },
  fullSizeBody('zero bytes', '', '\0', ''),
  {
    name: 'a long prompt in chunks of one byte',
    chunkBytes: 1,
    make: () => filledBody('{"model":"imgA-5.0","prompt":"', 'a', '"}', 4 * 1024 * 1024),
  },
  {
    name: 'a long prompt in chunks of 100 bytes',
    chunkBytes: 100,
    make: () => filledBody('{"model":"imgA-5.0","prompt":"', 'a', '"}'),
  },
]
