const timeoutMs = 5_000

/**
 * Returns the server's time in Unix milliseconds. Returns null if a proxy removes the Date header.
 */
export async function readServerTime(baseUrl: string): Promise<number | null> {
  const response = await fetch(`${baseUrl}/v2/model-center/tasks`, { signal: AbortSignal.timeout(timeoutMs) })
  await response.body?.cancel()
  const timeMs = Date.parse(response.headers.get('date') ?? '')
  return Number.isFinite(timeMs) ? timeMs : null
}
