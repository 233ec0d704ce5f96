/** Parts of the screens that emailed links open. */
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '#web/api/client.ts'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { getAuthErrorMessage } from './auth-error-message.tsx'
import { AuthFormIntro } from './auth-form-parts.tsx'

export type EmailLinkParameters = { userId: string; secret: string }

/** The parameters have already left the address bar. Null if the link is damaged. */
export function useEmailLinkParameters(): EmailLinkParameters | null {
  const { userId = '', secret = '' } = (useLocation().state ?? {}) as Partial<EmailLinkParameters>
  return userId && secret ? { userId, secret } : null
}

const isLinkOver = (error: unknown) =>
  error instanceof ApiError &&
  (['user_invalid_token', 'user_not_found'].includes(error.type) ||
    (error.code === 400 && ['userId', 'secret'].includes(error.field ?? '')))

type EmailLinkAction = {
  busy: boolean
  run: (act: () => Promise<void>) => void
  isOver: boolean
  error: unknown
  failure: string | undefined
}

export function useEmailLinkAction(): EmailLinkAction {
  const [busy, start] = useTransition()
  const [error, setError] = useState<unknown>()
  const underWay = useRef(false)

  function run(act: () => Promise<void>) {
    if (underWay.current) return
    underWay.current = true
    setError(undefined)
    start(async () => {
      try {
        await act()
      } catch (refusal) {
        setError(refusal)
      } finally {
        underWay.current = false
      }
    })
  }

  return {
    busy,
    run,
    error,
    isOver: isLinkOver(error),
    failure: error === undefined ? undefined : getAuthErrorMessage(error),
  }
}

const sealColors = {
  brand: 'bg-brand-soft text-brand-text',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
}

type StepProps = {
  icon: LucideIcon
  color: keyof typeof sealColors
  title: string
  lead: ReactNode
  children?: ReactNode
}

/** Takes the focus from the form that it replaces. */
export function EmailLinkStatus({ icon: Icon, color, title, lead, children }: StepProps) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => step.current?.querySelector('h1')?.focus({ preventScroll: true }), [])
  return (
    <div ref={step}>
      <span className={cx('mb-[22px] grid size-18 place-items-center rounded-photo', sealColors[color])}>
        <Icon aria-hidden size={34} strokeWidth={1.8} />
      </span>
      <PageTitle title={title} display />
      <AuthFormIntro>{lead}</AuthFormIntro>
      {children}
    </div>
  )
}
