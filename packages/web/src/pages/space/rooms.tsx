import type { OpenRoom } from '@spaceport/contract/rooms';
import type { StageRoom } from '../../stage/stage-state.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { playOn } from '../../ui/game-keys.ts';
import { Card } from '../../ui/surfaces.tsx';
import './rooms.css';

/** The player's room, or the open rooms. */
export default function RoomCards({
  room,
  openRooms,
  onJoin,
}: {
  room: StageRoom | null;
  openRooms: readonly OpenRoom[] | null;
  onJoin: (code: string) => void;
}) {
  if (room !== null) return <EnteredRoomCard room={room} />;
  return openRooms && <OpenRoomsCard rooms={openRooms} onJoin={onJoin} />;
}

/** The members of the player's room. */
function EnteredRoomCard({ room: { code, inside } }: { room: StageRoom }) {
  return (
    <Card title={`Room ${code}`}>
      {inside !== null && (
        <>
          <p className="quiet small">
            {inside.members.length} of {inside.max} players
          </p>
          <ul className="rooms">
            {inside.members.map(({ handle, host, you }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: guests have no name that is theirs alone.
              <li key={`${at} ${handle}`}>
                <Avatar name={handle ?? 'Guest'} />
                <span>{handle === null ? 'A guest' : `@${handle}`}</span>
                <span className="quiet small">
                  {[you && 'you', host && 'host'].filter(Boolean).join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** Rooms that anybody may join, if the space wants them to be shown. */
function OpenRoomsCard({ rooms, onJoin }: { rooms: readonly OpenRoom[]; onJoin: (code: string) => void }) {
  return (
    <Card title="Open rooms">
      {rooms.length === 0 ? (
        <p className="quiet small">None now. Open one in the game, and others see it here.</p>
      ) : (
        <ul className="rooms">
          {rooms.map(({ code, host, members, max }) => (
            <li key={code}>
              <Avatar name={host ?? 'Guest'} />
              <span>{host === null ? 'A guest’s room' : `@${host}’s room`}</span>
              <span className="quiet small">
                {members} of {max}
              </span>
              <Button
                variant="plain"
                size="small"
                aria-label={`Join ${host === null ? 'a guest’s' : `@${host}’s`} room ${code}`}
                onClick={() => {
                  onJoin(code);
                  playOn();
                }}
              >
                Join
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
