import type { ComponentChildren } from 'preact'
import { texts } from '../language/language.ts'

/** The buttons at the end of a dialog: a cancel button, and `children`. */
export function DialogActions({ onClose, children }: { onClose: () => void; children: ComponentChildren }) {
  return (
    <div class="dialog-actions">
      <button type="button" class="button" onClick={onClose}>
        {texts.value.actions.cancel}
      </button>
      {children}
    </div>
  )
}
