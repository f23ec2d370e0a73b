import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { Icon } from './icon.tsx'

/** Selects the fields of a dialog. In a group of radio buttons, the checked one has the focus. */
const firstField = '.dialog-body :is(input:not([type=radio]:not(:checked)), select, textarea):enabled'

interface DialogProps {
  title: string
  /** Called when the user closes the dialog. */
  onClose: () => void
  /** Whether the dialog is wide, for tables and forms with several columns. */
  isWide?: boolean
  children: ComponentChildren
}

/** A modal dialog. It is open while it is rendered. A form gets the focus in its first field. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    // The browser focuses the first control, which is the button that closes the dialog.
    dialog.current?.querySelector<HTMLElement>(firstField)?.focus()
    return () => {
      // The browser returns the focus of a closed dialog, but not of a removed one. If this dialog
      // and the dialog below it are removed together, the opener of the lower dialog gets the
      // focus.
      queueMicrotask(() => {
        const isFocusLost = document.activeElement === null || document.activeElement === document.body
        if (isFocusLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      // The close event comes only with the next frame, when another dialog may be open already.
      onCancel={(event) => {
        // The cancel event of a file input arrives here too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
    >
      <header class="dialog-header">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet icon-only" aria-label={texts.value.actions.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}
