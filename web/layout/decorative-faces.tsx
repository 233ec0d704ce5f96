import bun from '#web/assets/faces/bun.svg'
import curls from '#web/assets/faces/curls.svg'
import scarf from '#web/assets/faces/scarf.svg'
import silver from '#web/assets/faces/silver.svg'

export function DecorativeFaces() {
  return (
    <span className="flex flex-none pl-3.5">
      {[curls, silver, scarf, bun].map((face) => (
        <img
          key={face}
          src={face}
          alt=""
          width={56}
          height={56}
          className="-ml-3.5 rounded-full border-3 border-surface"
        />
      ))}
    </span>
  )
}
