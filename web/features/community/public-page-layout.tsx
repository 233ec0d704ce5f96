import type { ReactNode } from 'react'
import { es } from '#contract/language.ts'
import { LanguageButtons } from '#web/layout/language-buttons.tsx'
import { useDocumentLanguage } from '#web/layout/use-document-language.ts'
import { CommunityLogo } from '#web/ui/brand.tsx'
import { cx } from '#web/ui/cx.ts'

type Props = { name: string; narrow?: boolean; languageChoice?: boolean; children: ReactNode }

export function PublicPageLayout({ name, narrow, languageChoice, children }: Props) {
  useDocumentLanguage(es('es', 'en'))
  return (
    <main className={cx('min-h-dvh px-[22px] pt-7 pb-12 md:pt-10', narrow && 'bg-surface')}>
      <div className={cx('mx-auto', narrow ? 'max-w-[420px]' : 'max-w-[640px]')}>
        <p className="mb-5 flex min-h-11 items-center gap-2.5 font-display text-[1.6875rem] leading-[2.125rem] font-bold tracking-[-0.045em]">
          <CommunityLogo />
          <span className="min-w-0 wrap-anywhere">{name}</span>
        </p>
        {children}
        {languageChoice && <LanguageButtons className="mt-6" />}
      </div>
    </main>
  )
}
