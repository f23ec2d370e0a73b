export interface Readiness {
  status: number
  /** The reason why the server is not ready. Null: it is ready, or does not report its readiness. */
  error: string | null
}

export async function readReadiness(baseUrl: string, signal: AbortSignal): Promise<Readiness> {
  const response = await fetch(new URL('/readyz', baseUrl), { signal })
  const body: unknown = await response.json().catch(() => null)
  const { error } = (body ?? {}) as { error?: { message?: unknown } }
  const isNotReady = response.status === 503 && typeof error?.message === 'string'
  return { status: response.status, error: isNotReady ? String(error.message).replace(/\.$/, '') : null }
}
