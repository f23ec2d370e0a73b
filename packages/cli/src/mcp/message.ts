/** The parts of a JSON-RPC message that the bridge reads. */
export interface Message {
  /** The unparsed line, which is forwarded unchanged. */
  text: string
  /** JSON-RPC id. Undefined for a notification. */
  id: unknown
  method: string | undefined
  params: Readonly<Record<string, unknown>>
  /** Protocol revision, which messages contain since revision 2026-07-28. */
  revision: string | undefined
}

export function readMessage(text: string): Message | undefined {
  const value = parseJson(text)
  if (!isObject(value)) return undefined
  const { id, method, params: rawParams } = value
  const params = isObject(rawParams) ? rawParams : {}
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const revision = meta['io.modelcontextprotocol/protocolVersion']
  return {
    text,
    id,
    method: typeof method === 'string' ? method : undefined,
    params,
    revision: typeof revision === 'string' ? revision : undefined,
  }
}

export function isRequest({ id, method }: Message): boolean {
  return id !== undefined && id !== null && method !== undefined
}

/** Parses JSON. Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
