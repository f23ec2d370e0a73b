import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { Dialog } from './dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { errorText } from './error-text.ts'
import { Problem } from './problem.tsx'

interface ConfirmDialogProps {
  title: string
  question: ComponentChildren
  /** Content below the question, such as the values before and after the action. */
  details?: ComponentChildren
  /** Label of the button that confirms, which names the action. */
  button: string
  /** Whether the action deletes something or ends access. Default: true. */
  isDestructive?: boolean
  onConfirm: () => Promise<void>
  onClose: () => void
}

/**
 * Dialog that asks for confirmation of an action that cannot be undone, costs money or ends access.
 */
export function ConfirmDialog({
  title,
  question,
  details,
  button,
  isDestructive = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function confirm(): Promise<void> {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(errorText(error, texts.value))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{question}</p>
      {details}
      <Problem text={problem} />
      <DialogActions onClose={onClose}>
        <button
          type="button"
          class={isDestructive ? 'button danger' : 'button primary'}
          disabled={isBusy}
          onClick={() => void confirm()}
        >
          {button}
        </button>
      </DialogActions>
    </Dialog>
  )
}
