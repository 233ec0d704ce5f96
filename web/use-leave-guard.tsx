import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { holdSteps } from './history-steps.ts'
import { ConfirmDialog } from './ui/confirm-dialog.tsx'

type LeaveGuard = {
  /** To be rendered: the question. */
  dialog: ReactNode
  /** Does at once what would drop an unchanged form; asks first when it is changed. */
  leave: (action: () => void) => void
  /** Leaves without asking, for what was written is kept; does nothing once she has left by herself. */
  pass: (action: () => void) => void
}

/**
 * Asks before a changed form is dropped: by `leave`, by a link or a button `data-leaves` on the page, by Back and Forward, by
 * closing the tab.
 */
export function useLeaveGuard(changed: boolean): LeaveGuard {
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<{ go: () => void }>()
  const agreed = useRef(false)
  const gone = useRef(false)

  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])

  useEffect(() => {
    if (!changed) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const hold = (event: MouseEvent) => {
      if (agreed.current) return
      const address = inAppAddress(event)
      const button =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-leaves]') : null
      if (!address && !button) return
      event.preventDefault()
      event.stopPropagation()
      setWanted({ go: () => (address ? navigate(address) : button?.click()) })
    }
    const here = placeInHistory()
    const letSteps = holdSteps((event) => {
      const steps = placeInHistory() - here
      if (agreed.current || Number.isNaN(steps)) return
      // The step has been taken already: the router must not hear of it, nor of the way back.
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
      letSteps()
    }
  }, [changed, navigate])

  function pass(action: () => void) {
    if (gone.current) return
    agreed.current = true
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

/** The router numbers the entries of the history; not a number for one that is not the router's. */
const placeInHistory = () => Number(history.state?.idx ?? Number.NaN)

/** Where a plain click on a link of ours leads in this tab. */
function inAppAddress(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined
  if (link.hash && link.pathname === location.pathname) return undefined
  return link.pathname + link.search + link.hash
}
