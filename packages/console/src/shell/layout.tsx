import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { Icon } from '../parts/icon.tsx'
import { brand } from '../session/brand.ts'
import { AccountPanel } from './account-panel.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Navigation } from './navigation.tsx'

/** The frame of every page: navigation at the side, or behind a button on small screens. */
export function Layout({ children }: { children: ComponentChildren }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const t = texts.value.shell
  return (
    <div class="layout">
      <a class="skip-link" href="#main">
        {t.skip}
      </a>
      <header class="top-bar">
        <button type="button" class="button quiet icon-only" aria-label={t.menu} onClick={() => setMenuOpen(true)}>
          <Icon name="menu" />
        </button>
        <BrandMark />
      </header>
      <aside class="sidebar">
        <BrandMark />
        <Navigation />
        <AccountPanel />
      </aside>
      {isMenuOpen && <MenuDialog onClose={() => setMenuOpen(false)} />}
      <main id="main" tabIndex={-1}>
        <ConnectionNotice />
        {children}
      </main>
    </div>
  )
}

/** The navigation on small screens. It is open while it is rendered. */
function MenuDialog({ onClose }: { onClose: () => void }) {
  const menu = useRef<HTMLDialogElement>(null)
  const t = texts.value
  const close = (): void => menu.current?.close()
  useLayoutEffect(() => menu.current?.showModal(), [])
  return (
    <dialog
      class="menu-dialog"
      ref={menu}
      aria-label={t.shell.menu}
      onClose={onClose}
      onClick={(event) => event.target === menu.current && close()}
    >
      <div class="sidebar-content">
        <div class="menu-header">
          <BrandMark />
          <button type="button" class="button quiet icon-only" aria-label={t.actions.close} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <Navigation onChosen={close} />
        <AccountPanel />
      </div>
    </dialog>
  )
}

function BrandMark() {
  return (
    <div class="brand-mark">
      {brand.logo === null ? <span class="brand-dot" aria-hidden="true" /> : <img src={brand.logo} alt="" />}
      <span>{brand.name}</span>
    </div>
  )
}
