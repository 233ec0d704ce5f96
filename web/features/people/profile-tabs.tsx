import { Heart, LayoutGrid } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'

export function ProfileTabs({ personId }: { personId: string }) {
  return (
    <nav aria-label={en('Profile', 'Perfil')} className="mt-7 flex flex-wrap gap-2 border-b border-border">
      <Tab to={screenPaths.profile(personId)}>
        <LayoutGrid aria-hidden size={18} strokeWidth={2} />
        {en('Posts', 'Publicaciones')}
      </Tab>
      <Tab to={screenPaths.likedPosts(personId)}>
        <Heart aria-hidden size={18} strokeWidth={2} />
        {en('Liked Posts', 'Me gusta')}
      </Tab>
    </nav>
  )
}

function Tab({ to, children }: { to: string; children: ReactNode }) {
  return (
    <NavLink
      to={to}
      end
      className="-mb-px flex min-h-12 items-center gap-2 border-b-[3px] border-transparent px-4 font-[620] text-text-2 hover:text-text aria-[current=page]:border-brand aria-[current=page]:text-brand-text"
    >
      {children}
    </NavLink>
  )
}
