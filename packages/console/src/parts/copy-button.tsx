import { useState } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { Icon } from './icon.tsx'

const shownMs = 2_000

/**
 * Copies a text. If the clipboard API is not available, as on plain HTTP, falls back to a
 * selection.
 */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = texts.value.actions
  const [isDone, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    await copyText(text)
    setDone(true)
    setTimeout(() => setDone(false), shownMs)
  }
  return (
    <button type="button" class="button small copy-button" onClick={() => void copy()}>
      <Icon name={isDone ? 'check' : 'copy'} size={15} />
      <span aria-live="polite">{isDone ? t.copied : (label ?? t.copy)}</span>
    </button>
  )
}

async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return await navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
