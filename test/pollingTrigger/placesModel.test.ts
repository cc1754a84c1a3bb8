import { testPlaces } from './placesModel';

testPlaces(10);
