import { useCallback, useEffect, useState } from 'preact/hooks'
import { sendOnce } from '../../api/call.ts'
import { useRefresh } from '../../api/use-refresh.ts'

/**
 * The reason why the service is not ready. Null: it is ready, or `/readyz` is not reachable, for
 * example because a proxy hides it.
 */
export function useReadiness(): string | null {
  const [error, setError] = useState<string | null>(null)
  const load = useCallback(() => {
    readError().then(setError, () => setError(null))
  }, [])
  useEffect(load, [load])
  useRefresh(load)
  return error
}

async function readError(): Promise<string | null> {
  const response = await sendOnce('GET', '/readyz', {})
  if (response.status !== 503) return null
  const { error } = (await response.json()) as { error?: { message?: string } }
  return error?.message ?? null
}
