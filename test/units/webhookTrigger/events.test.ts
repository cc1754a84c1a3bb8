import { readEventEntitiesOrEmptyList } from '../../../nodes/CometChat/webhookTrigger/events';
import { TRIGGERS } from '../../webhookTrigger/samples';

test.each(TRIGGERS)('%s without its entity counts as an event of unknown shape', (trigger) => {
	expect(readEventEntitiesOrEmptyList(trigger, { other: 1 }, () => true)).toEqual([]);
});
