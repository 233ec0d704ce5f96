import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'

export function GroupUnavailableNotice({
  title,
  text,
  children,
}: {
  title: ReactNode
  text?: string
  children?: ReactNode
}) {
  return (
    <section className="card flex flex-col items-center px-5 py-10 text-center md:px-6 md:pt-16 md:pb-18">
      <SmilingLock />
      <div className="mt-5.5">{title}</div>
      {text && <p className="mt-2 max-w-[44ch] text-pretty text-text-2">{text}</p>}
      {children}
      <ButtonLink to={screenPaths.groups()} kind="outline" className="mt-5.5">
        <ArrowLeft aria-hidden size={18} strokeWidth={2} />
        {en('Back to Groups', 'Volver a los grupos')}
      </ButtonLink>
    </section>
  )
}

export function GroupNotFoundNotice() {
  return (
    <div className="mx-auto max-w-[1080px]">
      <GroupUnavailableNotice
        title={<PageTitle title={en('Group not found', 'No encontramos ese grupo')} />}
      />
    </div>
  )
}

function SmilingLock() {
  return (
    <svg width="148" height="116" viewBox="0 0 148 116" fill="none" aria-hidden="true">
      <rect
        x="8"
        y="24"
        width="60"
        height="76"
        rx="14"
        transform="rotate(-9 38 62)"
        className="fill-accent-soft"
      />
      <rect
        x="80"
        y="24"
        width="60"
        height="76"
        rx="14"
        transform="rotate(9 110 62)"
        className="fill-warning-soft"
      />
      <rect x="42" y="12" width="64" height="84" rx="16" className="fill-brand-soft" />
      <path d="M60 54v-8a14 14 0 0 1 28 0v8" strokeWidth="6" strokeLinecap="round" className="stroke-brand" />
      <rect x="54" y="52" width="40" height="30" rx="9" className="fill-brand" />
      <g className="fill-on-brand">
        <circle cx="68" cy="65" r="2.6" />
        <circle cx="80" cy="65" r="2.6" />
      </g>
      <path d="M67 72q7 6 14 0" strokeWidth="2.6" strokeLinecap="round" className="stroke-on-brand" />
    </svg>
  )
}
