import { useEffect, useState } from 'preact/hooks'
import { texts } from '../language/language.ts'

/** Notice that the browser is offline. */
export function ConnectionNotice() {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const change = (): void => setOnline(navigator.onLine)
    addEventListener('online', change)
    addEventListener('offline', change)
    return () => {
      removeEventListener('online', change)
      removeEventListener('offline', change)
    }
  }, [])
  if (isOnline) return null
  return (
    <p class="notice warning" role="alert">
      {texts.value.errors.offline}
    </p>
  )
}
