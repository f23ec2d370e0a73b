/**
 * Request bodies of a hostile client. Each has the maximum body size unless its name says
 * otherwise.
 */
export interface HostileBody {
  name: string
  /** Creates the bytes. All bodies together would take half a gigabyte. */
  make: () => Buffer
  /** Chunk size for chunked transfer encoding. Default: sent with Content-Length. */
  chunkBytes?: number
}

const bodyBytesMax = 16 * 1024 * 1024

function filledBody(before: string, unit: string, after: string, sizeBytes = bodyBytesMax): Buffer {
  const unitBytes = Buffer.byteLength(unit)
  const room = sizeBytes - Buffer.byteLength(before) - Buffer.byteLength(after)
  const count = Math.floor(room / unitBytes)
  return Buffer.concat([Buffer.from(before), Buffer.alloc(count * unitBytes, unit), Buffer.from(after)])
}

const task = '"model":"imgA-5.0","prompt":"a lake"'

/** Yields a few million different names. */
function manyNames(): Buffer {
  const body = Buffer.alloc(bodyBytesMax, ' ')
  let length = body.write(`{${task}`)
  for (let i = 0; length < bodyBytesMax - 16; i++) length += body.write(`,"${i.toString(36)}":1`, length)
  body.write('}', bodyBytesMax - 1)
  return body
}

function inFullSize(name: string, before: string, unit: string, after: string): HostileBody {
  return { name, make: () => filledBody(before, unit, after) }
}

export const hostileBodies: readonly HostileBody[] = [
  inFullSize('a long unknown name', `{${task},"`, 'x', '":1}'),
  inFullSize('a long unknown name of slashes', `{${task},"`, '/', '":1}'),
  inFullSize('a long unknown name of tildes', `{${task},"`, '~', '":1}'),
  inFullSize('a long unknown name of control characters', `{${task},"`, String.raw`\u0001`, '":1}'),
  inFullSize('a long unknown name of wide characters', `{${task},"`, '語/', '":1}'),
  inFullSize('a long name within simulate', `{${task},"simulate":{"`, '/', '":1}}'),
  inFullSize('a long model', '{"prompt":"a lake","model":"', 'M', '"}'),
  inFullSize('a long model of wide characters', '{"prompt":"a lake","model":"', 'Ä', '"}'),
  inFullSize('a long model of spaces', '{"prompt":"a lake","model":"x', ' ', 'x"}'),
  inFullSize('a long prompt', '{"model":"imgA-5.0","prompt":"', 'a', '"}'),
  inFullSize('a long prompt of wide characters', '{"model":"imgA-5.0","prompt":"', '語', '"}'),
  inFullSize('a long prompt of surrogate pairs', '{"model":"imgA-5.0","prompt":"', '🦊', '"}'),
  inFullSize('a long prompt of escaped letters', '{"model":"imgA-5.0","prompt":"', String.raw`\u0061`, '"}'),
  inFullSize('a long prompt of escaped quotes', '{"model":"imgA-5.0","prompt":"', String.raw`\"`, '"}'),
  inFullSize('a long prompt of escaped backslashes', '{"model":"imgA-5.0","prompt":"', String.raw`\\`, '"}'),
  inFullSize('a long prompt of single surrogates', '{"model":"imgA-5.0","prompt":"', String.raw`\ud800`, '"}'),
  inFullSize('a long negative prompt', `{${task},"negative_prompt":"`, 'a', '"}'),
  inFullSize('a long aspect ratio', `{${task},"aspect_ratio":"`, '1', '"}'),
  inFullSize('a long address of an image', `{${task},"reference_images":["https://example.com/`, 'a', '"]}'),
  inFullSize('a data URI that ends in a wrong character', `{${task},"reference_images":["data:image/png;base64,`, 'A', '!==="]}'),
  inFullSize('data URIs in full size', `{${task},"reference_images":["data:image/png;base64,`, 'AAAA', '"]}'),
  {
    name: 'data URIs that are accepted',
    make: () => filledBody(`{${task},"reference_images":["data:image/png;base64,`, 'AAAA', '"]}', 12 * 1024 * 1024),
  },
  {
    name: 'data URIs that are accepted, with escaped slashes',
    make: () =>
      filledBody(`{${task},"reference_images":["data:image\\/png;base64,`, `${'A'.repeat(63)}\\/`, '"]}', 12 * 1024 * 1024),
  },
  inFullSize('empty arrays', '[[]', ',[]', ']'),
  inFullSize('arrays without a comma before them', '', '[],', ''),
  inFullSize('empty objects', `{${task},"reference_images":[{}`, ',{}', ']}'),
  inFullSize('many zeros', `{${task},"reference_images":[0`, ',0', ']}'),
  inFullSize('many fractions', `{${task},"reference_images":[0`, ',1.7976931348623157e-300', ']}'),
  inFullSize('many empty strings', `{${task},"reference_images":[""`, ',""', ']}'),
  inFullSize('many words of three letters', `{${task},"reference_images":[null`, ',null', ']}'),
  inFullSize('deep nesting', '', '[', ''),
  inFullSize('deep nesting of objects', '', '{"a":', ''),
  inFullSize('shallow nesting, again and again', `{${task},"reference_images":[[[[]]]`, ',[[[]]]', ']}'),
  { name: 'many names', make: manyNames },
  inFullSize('one name again and again', `{${task}`, ',"a":1', '}'),
  inFullSize('__proto__ again and again', `{${task}`, ',"__proto__":{}', '}'),
  inFullSize('a huge number', `{${task},"seed":`, '9', '}'),
  inFullSize('a huge fraction', `{${task},"seed":0.`, '9', '}'),
  inFullSize('a huge exponent', `{${task},"seed":1e`, '9', '}'),
  inFullSize('nothing but spaces', '', ' ', ''),
  inFullSize('spaces within an object', '{', ' \n', `${task}}`),
  inFullSize('a string without end', `{${task},"x":"`, 'a', ''),
  inFullSize('backslashes without end', `{${task},"x":"`, '\\', ''),
  inFullSize('quotes', '', '"', ''),
  inFullSize('quotes and commas', '["', '","', '"]'),
  {
    name: 'invalid UTF-8 at the end',
    make: () => Buffer.concat([filledBody(`{${task},"x":"`, '語', '').subarray(0, -1), Buffer.from([0xff])]),
  },
  inFullSize('zero bytes', '', '\0', ''),
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
