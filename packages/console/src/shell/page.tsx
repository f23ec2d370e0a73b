import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { brand } from '../session/brand.ts'

interface PageProps {
  title: string
  /** One sentence below the title. */
  lead?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A page with a heading. The title of the browser tab contains the heading. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${brand.name}`
  }, [title])
  return (
    <article class="page">
      <header class="page-header">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </article>
  )
}

/**
 * After a navigation, moves the focus to the heading of the new page, where screen readers then
 * continue.
 */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}
