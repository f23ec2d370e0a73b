// Some programs write a byte order mark before a text. `JSON.parse` rejects the mark.

const byteOrderMark = '\ufeff'
const byteOrderMarkBytes = Buffer.from(byteOrderMark)

export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text
}

/** Returns a UTF-8 text without its byte order mark. The result shares the memory of `bytes`. */
export function bytesWithoutByteOrderMark(bytes: Buffer): Buffer {
  const { length } = byteOrderMarkBytes
  return bytes.subarray(0, length).equals(byteOrderMarkBytes) ? bytes.subarray(length) : bytes
}
