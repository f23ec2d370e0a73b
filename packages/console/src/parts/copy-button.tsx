import { useState } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { Icon } from './icon.tsx'

/** Time for which the button says that the text is copied. */
const confirmationMs = 2_000

/**
 * Button that copies a text. On plain HTTP, where there is no clipboard API, it selects and copies
 * it.
 */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = texts.value.actions
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), confirmationMs)
  }
  return (
    <button type="button" class="button small copy-button" onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} size={15} />
      <span aria-live="polite">{isCopied ? t.copied : (label ?? t.copy)}</span>
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
