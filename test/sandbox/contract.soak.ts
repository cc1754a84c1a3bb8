import { checkDocument } from '../../tools/sandbox/contract';

test('it is a valid OpenAPI 3.1 document', checkDocument);
