import { testPlaces } from './placesModel';

testPlaces(150);
