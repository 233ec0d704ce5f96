import { ImageOff, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { en, es } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'

export function PostNotFoundNotice() {
  return (
    <Notice icon={<ImageOff aria-hidden size={48} strokeWidth={1.7} />}>
      <PageTitle title={en('Post not found', 'No encontramos la publicación')} />
    </Notice>
  )
}

export function PostMembersOnlyNotice() {
  return (
    <Notice icon={<Lock aria-hidden size={48} strokeWidth={1.7} />}>
      <div lang={es('es', 'en')}>
        <PageTitle
          title={en('Post', 'Publicación')}
          heading={es(
            'No tienes acceso a los posts de este grupo',
            'You don’t have access to this group’s posts',
          )}
        />
      </div>
    </Notice>
  )
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <section className="card flex flex-col items-center gap-4.5 px-6 py-14 text-center text-text-2">
      {icon}
      <div className="text-text">{children}</div>
      <ButtonLink to={screenPaths.explore()} kind="outline">
        {en('Explore', 'Explorar')}
      </ButtonLink>
    </section>
  )
}
