import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'

type Props = {
  title: string
  sign: ReactNode
  signClassName: string
}

export function TopicHeader({ title, sign, signClassName }: Props) {
  return (
    <header className="mx-1 mt-2 mb-5 flex items-center gap-3.5 md:mx-0 md:mt-0 md:mb-6 md:gap-[18px]">
      <span
        aria-hidden
        className={cx(
          'flex size-[58px] flex-none items-center justify-center rounded-[18px] md:size-18 md:rounded-[20px]',
          signClassName,
        )}
      >
        {sign}
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <PageTitle title={title} />
        <p className="text-label text-text-2">
          {en(
            'Newest first, from members and groups you can see',
            'Lo más nuevo primero, de integrantes y grupos que puedes ver',
          )}
        </p>
      </div>
    </header>
  )
}
