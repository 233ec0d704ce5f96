import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { classes } from './classes.ts'

type Props = {
  open: boolean
  /** An alertdialog asks; a dialog shows. */
  role: 'dialog' | 'alertdialog'
  /** Ids of what names it and what describes it. */
  labelledBy: string
  describedBy?: string
  /** What has the focus first; without it, the browser chooses. */
  firstFocus?: RefObject<HTMLElement | null>
  /** By Escape or by the scrim. */
  onClose: () => void
  className?: string
  children: ReactNode
}

/** Over the page, which waits behind it; the focus stays inside, and returns to where it was (reading W-09). */
export function Modal(props: Props) {
  const { open, role, labelledBy, describedBy, firstFocus, onClose, className, children } = props
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const shown = dialog.current
    if (!open || !shown) return
    shown.showModal()
    firstFocus?.current?.focus()
    return () => shown.close()
  }, [open, firstFocus])

  useEffect(() => {
    const shown = dialog.current
    const clickScrim = (event: MouseEvent) => event.target === shown && onClose()
    shown?.addEventListener('click', clickScrim)
    return () => shown?.removeEventListener('click', clickScrim)
  }, [onClose])

  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className={classes(
        'm-auto w-[min(420px,calc(100%-32px))] rounded-dialog bg-surface text-text shadow-over backdrop:bg-scrim open:animate-fade max-md:mb-4',
        className,
      )}
    >
      {children}
    </dialog>
  )
}
