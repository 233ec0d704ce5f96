import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { en } from '#contract/language.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { getHistoryIndex, interceptPopstate } from './popstate-interceptor.ts'

type UnsavedChangesGuard = {
  dialog: ReactNode
  leave: (action: () => void) => void
  /** Leaves a saved form. Does nothing if the member has already left. */
  pass: (action: () => void) => void
}

export type FormDraftKeeper = {
  save: () => Promise<boolean>
  discard: () => void
  note?: string
}

/**
 * Covers `leave`, links, `data-leaves` buttons, Back, Forward and closing the tab. `keeper` offers to save a draft,
 * except on sign-out, which deletes drafts.
 */
export function useUnsavedChangesGuard(changed: boolean, keeper?: FormDraftKeeper): UnsavedChangesGuard {
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<{ go: () => void; keepsDrafts?: boolean }>()
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
      setWanted({
        go: () => (address ? navigate(address) : button?.click()),
        keepsDrafts: address !== undefined,
      })
    }
    const here = getHistoryIndex()
    const stopIntercepting = interceptPopstate((event) => {
      const steps = getHistoryIndex() - here
      if (confirmed.current || Number.isNaN(steps)) return
      // The browser has already moved in the history. The router must see neither this step nor the one that undoes
      // it.
      event.stopImmediatePropagation()
      if (steps === 0) return
      history.go(-steps)
      setWanted({ go: () => navigate(steps), keepsDrafts: true })
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

  async function saveDraft(keep: FormDraftKeeper['save']) {
    if (!(await keep())) return
    setWanted(undefined)
    if (wanted) pass(wanted.go)
  }

  const offersDraft = keeper && wanted?.keepsDrafts
  const dialog = (
    <ConfirmDialog
      open={wanted !== undefined}
      title={en('Discard your changes?', '¿Descartar los cambios?')}
      text={
        offersDraft
          ? [
              en(
                'Save it as a draft on this device, or it won’t be kept.',
                'Guárdalo como borrador en este dispositivo, o se perderá.',
              ),
              keeper.note,
            ]
              .filter(Boolean)
              .join(' ')
          : en('Your changes here won’t be kept.', 'Perderás los cambios que hiciste aquí.')
      }
      alternative={
        offersDraft
          ? { label: en('Save draft', 'Guardar borrador'), run: () => void saveDraft(keeper.save) }
          : undefined
      }
      confirm={en('Discard', 'Descartar')}
      cancel={en('Keep editing', 'Seguir editando')}
      danger
      onConfirm={() => {
        setWanted(undefined)
        keeper?.discard()
        if (wanted) pass(wanted.go)
      }}
      onCancel={() => setWanted(undefined)}
    />
  )
  return {
    dialog,
    leave: (action) => (changed ? setWanted({ go: action, keepsDrafts: true }) : action()),
    pass,
  }
}

function inAppAddress(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined
  if (link.hash && link.pathname === location.pathname) return undefined
  return link.pathname + link.search + link.hash
}
