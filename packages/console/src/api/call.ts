import { ApiError, readError } from './api-error.ts'

export interface CallOptions {
  body?: unknown
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
}

/** Handlers for requests that the service rejects because of the session or its key. */
export interface SessionHandlers {
  /**
   * Asks for the API key in a dialog. Resolves when the service has accepted it, and rejects if the
   * user closes the dialog.
   */
  signInAgain: () => Promise<void>
  /** Asks for the API key in a dialog, like `signInAgain`, to confirm the existing session. */
  confirmKey: () => Promise<void>
  /** Called if the key has lost a permission since the session was loaded. */
  onScopeMissing: () => void
}

const apiPath = '/console/api'
let handlers: SessionHandlers | null = null

export function setSessionHandlers(sessionHandlers: SessionHandlers): void {
  handlers = sessionHandlers
}

/**
 * Calls the API with the session and returns the parsed response. Rejects with an `ApiError`, or
 * with an `AbortError` after an abort.
 */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, `${apiPath}${path}`, options)
  if (response.status === 204) return undefined as T
  try {
    return (await response.json()) as T
  } catch (error) {
    // The body is incomplete, because the connection was lost.
    if (options.signal?.aborted === true) throw error
    throw connectionFailed()
  }
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>('GET', path, signal === undefined ? {} : { signal })
}

/** Returns the URL of a resource that the browser itself loads, such as a CSV file or a stream. */
export function apiUrl(path: string): string {
  return `${apiPath}${path}`
}

/**
 * Sends a request to the service. If the response requires a session or a confirmation, asks the
 * user for the key and sends the request again.
 */
async function send(method: string, url: string, options: CallOptions = {}): Promise<Response> {
  for (;;) {
    const response = await sendOnce(method, url, options)
    if (response.ok) return response
    const error = await readError(response)
    if (handlers !== null && error.status === 401) await handlers.signInAgain()
    else if (handlers !== null && error.code === 'confirmation_required') await handlers.confirmKey()
    else {
      if (error.code === 'key_scope_missing') handlers?.onScopeMissing()
      throw error
    }
  }
}

/** Sends a request to the service once, without dialogs. */
export async function sendOnce(method: string, url: string, { body, signal, headers }: CallOptions): Promise<Response> {
  const isFile = body instanceof Blob || body instanceof FormData
  try {
    return await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        'x-console-request': '1',
        ...(body !== undefined && !isFile && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw connectionFailed()
  }
}

function connectionFailed(): ApiError {
  return new ApiError(0, { code: 'connection_failed', message: 'connection_failed' })
}
