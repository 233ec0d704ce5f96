import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { interceptPopstate } from './popstate-interceptor.ts'

type UnsavedChangesGuard = {
  /** The confirmation, to be rendered. */
  dialog: ReactNode
  /** Runs an action that would drop the form: at once when unchanged, otherwise after asking. */
  leave: (action: () => void) => void
  /** Leaves without asking, because everything is saved; does nothing once the page has been left. */
  pass: (action: () => void) => void
}

/**
 * Asks before a changed form is dropped: by `leave`, by a link or a button `data-leaves` on the page, by Back and
 * Forward, by closing the tab.
 */
export function useUnsavedChangesGuard(changed: boolean): UnsavedChangesGuard {
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<{ go: () => void }>()
  const confirmed = useRef(false)
  const unmounted = useRef(false)

  useEffect(() => {
    unmounted.current = false
    return () => {
      unmounted.current = true
    }
  }, [])

  useEffect(() => {
    if (!changed) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const hold = (event: MouseEvent) => {
      if (confirmed.current) return
      const address = inAppAddress(event)
      const button =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-leaves]') : null
      if (!address && !button) return
      event.preventDefault()
      event.stopPropagation()
      setWanted({ go: () => (address ? navigate(address) : button?.click()) })
    }
    const here = historyIndex()
    const stopIntercepting = interceptPopstate((event) => {
      const steps = historyIndex() - here
      if (confirmed.current || Number.isNaN(steps)) return
      // The step has happened already: the router must see neither it nor the step back.
      event.stopImmediatePropagation()
      if (steps === 0) return
      history.go(-steps)
      setWanted({ go: () => navigate(steps) })
    })
    window.addEventListener('beforeunload', warn)
    document.addEventListener('click', hold, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', warn)
      document.removeEventListener('click', hold, { capture: true })
      stopIntercepting()
    }
  }, [changed, navigate])

  function pass(action: () => void) {
    if (unmounted.current) return
    confirmed.current = true
    action()
  }

  const dialog = (
    <ConfirmDialog
      open={wanted !== undefined}
      title="Discard your changes?"
      text="What you wrote and chose here won’t be kept."
      confirm="Discard"
      cancel="Keep editing"
      danger
      onConfirm={() => {
        setWanted(undefined)
        if (wanted) pass(wanted.go)
      }}
      onCancel={() => setWanted(undefined)}
    />
  )
  return { dialog, leave: (action) => (changed ? setWanted({ go: action }) : action()), pass }
}

/** Returns the index the router gives each history entry; NaN for an entry of another origin. */
const historyIndex = () => Number(history.state?.idx ?? Number.NaN)

/** Returns where a plain click on an in-app link leads in this tab. */
function inAppAddress(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined
  if (link.hash && link.pathname === location.pathname) return undefined
  return link.pathname + link.search + link.hash
}
