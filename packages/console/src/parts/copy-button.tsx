import { useState } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { Icon } from './icon.tsx'

/** Time for which the button says that the text is copied. */
const confirmationMs = 2_000

/**
 * Button that copies a text. On plain HTTP, where there is no clipboard API, it copies the text
 * from a temporary field.
 */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = texts.value.actions
  const [isCopied, setCopied] = useState(false)
  const copy = async (button: HTMLElement): Promise<void> => {
    if (!(await copyText(text, button))) return
    setCopied(true)
    setTimeout(() => setCopied(false), confirmationMs)
  }
  return (
    <button type="button" class="button small copy-button" onClick={({ currentTarget }) => void copy(currentTarget)}>
      <Icon name={isCopied ? 'check' : 'copy'} size={15} />
      <span aria-live="polite">{isCopied ? t.copied : (label ?? t.copy)}</span>
    </button>
  )
}

/** Copies a text. Returns false if the browser refuses. */
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  if (window.isSecureContext) {
    return await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const field = document.createElement('textarea')
  field.value = text
  // The field is next to the button, because a modal dialog makes the rest of the page inert.
  button.after(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  button.focus()
  return isCopied
}
